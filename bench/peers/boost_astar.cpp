// A peer of `replan-bench beyond`: A* of the Boost Graph Library on a grid, as its manual shows it.
//
// Reads an instance from stdin: width, height, neighbours (4 or 8) and how many queries, then the rows of
// the map ('.' is free), then "x y x y" a query. Answers a line a query: straight steps, diagonal ones,
// nanoseconds of CPU time; "-1 0 ns" where there is no path. The graph is made before, untimed. Corners
// are not cut.
#include <algorithm>
#include <boost/graph/astar_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr int straight = 408;
constexpr int diagonal = 577;

struct Step {
    int cost;
};

using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Step>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

struct Ground {
    int width;
    int height;
    int neighbors;
    std::vector<std::string> rows;

    bool is_free(int x, int y) const
    {
        return x >= 0 && y >= 0 && x < width && y < height && rows[y][x] == '.';
    }

    bool has_step(int x, int y, int dx, int dy) const
    {
        return is_free(x, y) && is_free(x + dx, y + dy) &&
               (dx == 0 || dy == 0 || (is_free(x + dx, y) && is_free(x, y + dy)));
    }
};

Graph graph_of(const Ground &ground)
{
    std::vector<std::pair<Vertex, Vertex>> edges;
    std::vector<Step> steps;
    for (int y = 0; y < ground.height; y++) {
        for (int x = 0; x < ground.width; x++) {
            for (int dy = -1; dy <= 1; dy++) {
                for (int dx = -1; dx <= 1; dx++) {
                    const bool is_slant = dx != 0 && dy != 0;
                    if ((dx == 0 && dy == 0) || (is_slant && ground.neighbors == 4) ||
                        !ground.has_step(x, y, dx, dy)) {
                        continue;
                    }
                    edges.emplace_back(y * ground.width + x, (y + dy) * ground.width + x + dx);
                    steps.push_back({is_slant ? diagonal : straight});
                }
            }
        }
    }
    return Graph(boost::edges_are_sorted, edges.begin(), edges.end(), steps.begin(),
                 static_cast<std::size_t>(ground.width) * ground.height);
}

struct Bound : boost::astar_heuristic<Graph, int> {
    int width, neighbors, goal_x, goal_y;

    int operator()(Vertex cell) const
    {
        const int dx = std::abs(static_cast<int>(cell) % width - goal_x);
        const int dy = std::abs(static_cast<int>(cell) / width - goal_y);
        const int both = neighbors == 8 ? std::min(dx, dy) : 0;
        return straight * (dx + dy - 2 * both) + diagonal * both;
    }
};

struct Found {};

struct Visitor : boost::default_astar_visitor {
    Vertex goal;

    void examine_vertex(Vertex cell, const Graph &) const
    {
        if (cell == goal) {
            throw Found();
        }
    }
};

std::int64_t cpu_ns()
{
    timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * std::int64_t{1000000000} + now.tv_nsec;
}

struct Answer {
    int straights;
    int diagonals;
};

Answer solve(const Ground &ground, const Graph &graph, Vertex start, Vertex goal, std::vector<Vertex> &before,
             std::vector<int> &costs)
{
    Bound bound;
    bound.width = ground.width;
    bound.neighbors = ground.neighbors;
    bound.goal_x = static_cast<int>(goal) % ground.width;
    bound.goal_y = static_cast<int>(goal) / ground.width;
    Visitor visitor;
    visitor.goal = goal;
    const auto index = boost::get(boost::vertex_index, graph);
    try {
        boost::astar_search(graph, start, bound,
                            boost::predecessor_map(boost::make_iterator_property_map(before.begin(), index))
                                .distance_map(boost::make_iterator_property_map(costs.begin(), index))
                                .weight_map(boost::get(&Step::cost, graph))
                                .visitor(visitor));
    } catch (const Found &) {
        Answer answer{0, 0};
        for (Vertex cell = goal; cell != start; cell = before[cell]) {
            const bool is_slant = cell % ground.width != before[cell] % ground.width &&
                                  cell / ground.width != before[cell] / ground.width;
            (is_slant ? answer.diagonals : answer.straights)++;
        }
        return answer;
    }
    return {-1, 0};
}

} // namespace

int main()
{
    Ground ground;
    int queries;
    if (!(std::cin >> ground.width >> ground.height >> ground.neighbors >> queries)) {
        return 2;
    }
    ground.rows.resize(ground.height);
    for (std::string &row : ground.rows) {
        std::cin >> row;
    }
    const Graph graph = graph_of(ground);
    std::vector<Vertex> before(boost::num_vertices(graph));
    std::vector<int> costs(boost::num_vertices(graph));
    for (int i = 0; i < queries; i++) {
        Vertex x, y, goal_x, goal_y;
        std::cin >> x >> y >> goal_x >> goal_y;
        const std::int64_t begin = cpu_ns();
        const Answer answer =
            solve(ground, graph, y * ground.width + x, goal_y * ground.width + goal_x, before, costs);
        const std::int64_t ns = cpu_ns() - begin;
        std::cout << answer.straights << ' ' << answer.diagonals << ' ' << ns << '\n';
    }
    return 0;
}
