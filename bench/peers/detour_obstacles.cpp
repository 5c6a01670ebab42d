// Detour's tile cache beside the engine, as games use both: a round obstacle appears on the path of
// an agent, the path goes round it, and the obstacle goes again. Prints a table in Markdown.
//
// usage: replan-peer-detour [ROUNDS]
//
// One flat ground of 512 x 512 cells of a metre with 120 buildings, the same for both. Detour:
// tiles of 48 cells and contours within 1.3 cells, as in its sample; addObstacle() or
// removeObstacle(), then update() until the tiles are up to date; then findPath() and
// findStraightPath(). The engine: rp_engine_overlay(), then rp_engine_step() until the answer is
// sure, and its points. CPU time of this thread. No idle time is used. Places of obstacles are
// taken from either's path by turns. Detour's path is a shortest row of polygons by its estimate,
// pulled straight; ours is a cheapest one of steps to 8 neighbours: so their lengths differ.
#include <DetourAlloc.h>
#include <DetourCommon.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourNavMeshQuery.h>
#include <DetourTileCache.h>
#include <DetourTileCacheBuilder.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <utility>
#include <vector>

#include "replan/engine.h"

namespace {

constexpr int side = 512, tile_side = 48, tiles = (side + tile_side - 1) / tile_side,
              points_max = 4096;
constexpr float obstacle_radius = 3.0F;
using Point = std::pair<double, double>;
using Ground = std::vector<unsigned char>; // 1 is free

[[noreturn]] void stop(const char *what)
{
    std::fprintf(stderr, "detour: %s failed\n", what);
    std::exit(1);
}

void must(bool is_fine, const char *what)
{
    if (!is_fine) {
        stop(what);
    }
}

double now_us()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
}

Ground ground_of(std::mt19937 &draw)
{
    Ground free(side * side, 1);
    for (int i = 0; i < 120; i++) {
        const int width = 4 + static_cast<int>(draw() % 40),
                  height = 4 + static_cast<int>(draw() % 40);
        const int x = 8 + static_cast<int>(draw() % (side - 60)),
                  y = 8 + static_cast<int>(draw() % (side - 60));
        for (int row = y; row < y + height; row++) {
            std::fill_n(free.begin() + row * side + x, width, 0);
        }
    }
    return free;
}

// ---- Detour

struct Heap : dtTileCacheAlloc {};

struct Plain : dtTileCacheCompressor {
    int maxCompressedSize(const int size) override
    {
        return size;
    }

    dtStatus compress(const unsigned char *from, const int size, unsigned char *to, const int,
                      int *written) override
    {
        std::memcpy(to, from, static_cast<size_t>(size));
        *written = size;
        return DT_SUCCESS;
    }

    dtStatus decompress(const unsigned char *from, const int size, unsigned char *to,
                        const int most, int *written) override
    {
        *written = std::min(size, most);
        std::memcpy(to, from, static_cast<size_t>(*written));
        return DT_SUCCESS;
    }
};

struct Process : dtTileCacheMeshProcess {
    void process(dtNavMeshCreateParams *made, unsigned char *areas, unsigned short *flags) override
    {
        for (int i = 0; i < made->polyCount; i++) {
            areas[i] = 0;
            flags[i] = 1;
        }
    }
};

class Detour {
  public:
    explicit Detour(const Ground &free)
    {
        dtTileCacheParams cache{};
        cache.cs = cache.ch = 1.0F;
        cache.width = cache.height = tile_side;
        cache.walkableHeight = 2.0F;
        cache.walkableClimb = 0.9F;
        cache.maxSimplificationError = 1.3F;
        cache.maxTiles = tiles * tiles;
        cache.maxObstacles = 64;
        dtNavMeshParams mesh{};
        mesh.tileWidth = mesh.tileHeight = tile_side;
        mesh.maxTiles = 128;
        mesh.maxPolys = 1 << 15;
        must(dtStatusSucceed(cache_->init(&cache, &heap_, &plain_, &process_)) &&
                 dtStatusSucceed(mesh_->init(&mesh)),
             "init");
        for (int y = 0; y < tiles; y++) {
            for (int x = 0; x < tiles; x++) {
                add_tile(free, x, y);
            }
        }
        must(dtStatusSucceed(query_->init(mesh_, 65535)), "query");
    }

    Detour(const Detour &) = delete;
    Detour &operator=(const Detour &) = delete;

    ~Detour()
    {
        dtFreeNavMeshQuery(query_);
        dtFreeTileCache(cache_);
        dtFreeNavMesh(mesh_);
    }

    void put(const Point &at)
    {
        const float place[3] = {static_cast<float>(at.first), 0.0F, static_cast<float>(at.second)};
        must(dtStatusSucceed(cache_->addObstacle(place, obstacle_radius, 2.0F, &obstacle_)),
             "addObstacle");
        update();
    }

    void remove()
    {
        must(dtStatusSucceed(cache_->removeObstacle(obstacle_)), "removeObstacle");
        update();
    }

    std::vector<Point> path(const Point &start, const Point &goal)
    {
        const float reach[3] = {2.0F, 4.0F, 2.0F};
        const float from[3] = {static_cast<float>(start.first), 0.0F,
                               static_cast<float>(start.second)};
        const float to[3] = {static_cast<float>(goal.first), 0.0F, static_cast<float>(goal.second)};
        float first[3], last[3];
        dtPolyRef begin = 0, end = 0;
        int count = 0, corners = 0;
        query_->findNearestPoly(from, reach, &filter_, &begin, first);
        query_->findNearestPoly(to, reach, &filter_, &end, last);
        if (begin == 0 || end == 0 ||
            dtStatusFailed(query_->findPath(begin, end, first, last, &filter_, polygons_.data(),
                                            &count, points_max)) ||
            count == 0 || polygons_[static_cast<size_t>(count) - 1] != end) {
            return {};
        }
        query_->findStraightPath(first, last, polygons_.data(), count, corners_.data(), nullptr,
                                 nullptr, &corners, points_max);
        std::vector<Point> points;
        for (size_t i = 0; i < static_cast<size_t>(corners); i++) {
            points.emplace_back(corners_[3 * i], corners_[3 * i + 2]);
        }
        return points;
    }

  private:
    void add_tile(const Ground &free, int tile_x, int tile_y)
    {
        static constexpr int dx[] = {-1, 0, 1, 0}, dy[] = {0, 1, 0, -1};
        const int width = std::min(tile_side, side - tile_x * tile_side),
                  height = std::min(tile_side, side - tile_y * tile_side);
        std::vector<unsigned char> heights(static_cast<size_t>(width * height)),
            areas(heights.size()), joins(heights.size());
        const auto is_free = [&](int x, int y) {
            return x >= 0 && y >= 0 && x < side && y < side &&
                   free[static_cast<size_t>(y * side + x)] != 0;
        };
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                const auto at = static_cast<size_t>(y * width + x);
                const int cell_x = tile_x * tile_side + x, cell_y = tile_y * tile_side + y;
                areas[at] =
                    is_free(cell_x, cell_y) ? DT_TILECACHE_WALKABLE_AREA : DT_TILECACHE_NULL_AREA;
                for (int i = 0; areas[at] != DT_TILECACHE_NULL_AREA && i < 4; i++) {
                    const bool is_here =
                        x + dx[i] >= 0 && y + dy[i] >= 0 && x + dx[i] < width && y + dy[i] < height;
                    joins[at] |=
                        is_free(cell_x + dx[i], cell_y + dy[i]) ? 1U << (is_here ? i : i + 4) : 0U;
                }
            }
        }
        dtTileCacheLayerHeader header{};
        header.magic = DT_TILECACHE_MAGIC;
        header.version = DT_TILECACHE_VERSION;
        header.tx = tile_x;
        header.ty = tile_y;
        header.bmin[0] = static_cast<float>(tile_x * tile_side);
        header.bmin[2] = static_cast<float>(tile_y * tile_side);
        header.bmax[0] = header.bmin[0] + static_cast<float>(width);
        header.bmax[1] = 2.0F;
        header.bmax[2] = header.bmin[2] + static_cast<float>(height);
        header.width = static_cast<unsigned char>(width);
        header.height = static_cast<unsigned char>(height);
        header.maxx = static_cast<unsigned char>(width - 1);
        header.maxy = static_cast<unsigned char>(height - 1);
        unsigned char *data = nullptr;
        int size = 0;
        must(dtStatusSucceed(dtBuildTileCacheLayer(&plain_, &header, heights.data(), areas.data(),
                                                   joins.data(), &data, &size)) &&
                 dtStatusSucceed(
                     cache_->addTile(data, size, DT_COMPRESSEDTILE_FREE_DATA, nullptr)) &&
                 dtStatusSucceed(cache_->buildNavMeshTilesAt(tile_x, tile_y, mesh_)),
             "tile");
    }

    void update()
    {
        for (bool is_done = false; !is_done;) {
            must(dtStatusSucceed(cache_->update(0.0F, mesh_, &is_done)), "update");
        }
    }

    Heap heap_;
    Plain plain_;
    Process process_;
    dtTileCache *cache_ = dtAllocTileCache();
    dtNavMesh *mesh_ = dtAllocNavMesh();
    dtNavMeshQuery *query_ = dtAllocNavMeshQuery();
    dtQueryFilter filter_;
    dtObstacleRef obstacle_ = 0;
    std::vector<dtPolyRef> polygons_ = std::vector<dtPolyRef>(points_max);
    std::vector<float> corners_ = std::vector<float>(3 * points_max);
};

// ---- ours

class Ours {
  public:
    explicit Ours(const Ground &free)
    {
        must(rp_engine_new(&engine_) == RP_OK, "engine");
        rp_world_options_t options = rp_engine_world_defaults(side, side);
        options.data = free.data();
        must(rp_engine_open_world(engine_, &options, &world_) == RP_OK, "world");
        const rp_session_options_t session = rp_engine_session_defaults();
        must(rp_engine_open(engine_, world_, &session, &agent_) == RP_OK, "agent");
    }

    Ours(const Ours &) = delete;
    Ours &operator=(const Ours &) = delete;
    ~Ours()
    {
        rp_engine_destroy(&engine_);
    }

    void aim(const Point &start, const Point &goal)
    {
        const rp_destination_t there = {goal.first, goal.second, 0};
        must(rp_engine_pose(engine_, agent_, start.first, start.second, 0, {}) == RP_OK &&
                 rp_engine_goals(engine_, agent_, &there, 1, 0, {}) == RP_OK,
             "goal");
    }

    void put(const Point &at)
    {
        rp_shape_t disc{};
        disc.corners = 1;
        disc.x_m = &at.first;
        disc.y_m = &at.second;
        disc.radius_m = static_cast<double>(obstacle_radius);
        rp_overlay_edit_t edit{};
        edit.shapes = &disc;
        edit.shape_count = 1;
        overlay(edit);
    }

    void remove()
    {
        rp_overlay_edit_t edit{};
        edit.clears = true;
        overlay(edit);
    }

    std::vector<Point> path()
    {
        rp_answer_t answer;
        while (rp_engine_step(engine_, 0, UINT64_MAX)) {
        }
        must(rp_engine_answer(engine_, agent_, &answer) == RP_OK, "answer");
        const size_t count = rp_engine_points(&answer, x_.data(), y_.data(), x_.size());
        std::vector<Point> points;
        for (size_t i = 0; i < std::min(count, x_.size()); i++) {
            points.emplace_back(x_[i], y_[i]);
        }
        return points;
    }

  private:
    void overlay(const rp_overlay_edit_t &edit)
    {
        uint64_t version = 0;
        must(rp_engine_overlay(engine_, world_, &edit, {}, &version) == RP_OK, "overlay");
    }

    rp_engine_t *engine_ = nullptr;
    rp_world_id_t world_ = 0;
    rp_session_id_t agent_ = 0;
    std::vector<double> x_ = std::vector<double>(1 << 16), y_ = std::vector<double>(1 << 16);
};

// ---- rounds

struct Sample {
    std::vector<double> edit_us, path_us, length_m;

    void add(double began, double edited, double ended, const std::vector<Point> &path)
    {
        double length = 0;
        for (size_t i = 1; i < path.size(); i++) {
            length +=
                std::hypot(path[i].first - path[i - 1].first, path[i].second - path[i - 1].second);
        }
        edit_us.push_back(edited - began);
        path_us.push_back(ended - edited);
        length_m.push_back(length);
    }
};

double percentile(std::vector<double> of, double part)
{
    std::sort(of.begin(), of.end());
    return of[static_cast<size_t>(part * static_cast<double>(of.size() - 1))];
}

void tell(const char *what, const Sample &one)
{
    std::printf("| %s | %.0f | %.0f | %.0f | %.0f | %.0f |\n", what, percentile(one.edit_us, 0.5),
                percentile(one.edit_us, 0.99), percentile(one.path_us, 0.5),
                percentile(one.path_us, 0.99), percentile(one.length_m, 0.5));
}

/// @return false where one of them knows no path
bool play(Detour &detour, Ours &ours, const Point &start, const Point &goal, bool is_ours,
          Sample samples[4])
{
    ours.aim(start, goal);
    const std::vector<Point> mine = ours.path(), theirs = detour.path(start, goal);
    if (mine.size() < 100 || theirs.size() < 2) {
        return false;
    }
    const size_t middle = theirs.size() / 2;
    const Point between = {(theirs[middle].first + theirs[middle - 1].first) / 2,
                           (theirs[middle].second + theirs[middle - 1].second) / 2};
    const Point at = is_ours ? mine[mine.size() / 2] : between;
    for (size_t i = 0; i < 2; i++) {
        double began = now_us();
        i == 0 ? detour.put(at) : detour.remove();
        double edited = now_us();
        const std::vector<Point> told = detour.path(start, goal);
        samples[2 * i].add(began, edited, now_us(), told);
        began = now_us();
        i == 0 ? ours.put(at) : ours.remove();
        edited = now_us();
        const std::vector<Point> own = ours.path();
        samples[2 * i + 1].add(began, edited, now_us(), own);
    }
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 400;
    std::mt19937 draw(1);
    const Ground free = ground_of(draw);
    Detour detour(free);
    Ours ours(free);
    Sample samples[4];
    const auto place = [&] { return Point{draw() % side + 0.5, draw() % side + 0.5}; };
    for (int i = 0; i < rounds;) {
        const Point start = place(), goal = place();
        i += play(detour, ours, start, goal, i % 2 == 0, samples) ? 1 : 0;
    }
    std::printf("| us, of %d rounds | take it in, p50 | p99 | path, p50 | p99 | metres, p50 "
                "|\n|---|---|---|---|---|---|\n",
                rounds);
    const char *names[] = {"an obstacle comes: Detour's tile cache", "replan, `auto`",
                           "it goes: Detour's tile cache", "replan, `auto`"};
    for (size_t i = 0; i < 4; i++) {
        tell(names[i], samples[i]);
    }
    return 0;
}
