# A peer of bench/godot.py: AStar2D of Godot 3 on a grid, as its manual shows it, corner to corner, and after a cell of the path was blocked.
#
# usage: godot3-server --no-window --script godot_grid.gd; arguments come by the environment: REPLAN_GRID is a file whose first line is
# "side rounds" and whose other lines are rows of # and . ; what is printed begins with "replan"
extends SceneTree

const STEPS = [Vector2(1, 0), Vector2(1, 1), Vector2(0, 1), Vector2(-1, 1)]
var side = 0
var free = []


func is_free(x, y):
	return x >= 0 and y >= 0 and x < side and y < side and free[y * side + x]


# Corners are not cut.
func has_step(x, y, step):
	return is_free(x, y) and is_free(x + step.x, y + step.y) and (step.x == 0 or step.y == 0 or (is_free(x + step.x, y) and is_free(x, y + step.y)))


func connect_all(graph):
	for y in range(side):
		for x in range(side):
			if is_free(x, y):
				graph.add_point(y * side + x, Vector2(x, y))
	for y in range(side):
		for x in range(side):
			for step in STEPS:
				if has_step(x, y, step):
					graph.connect_points(y * side + x, (y + step.y) * side + x + step.x)


# Shut a cell, or open it again, with the steps that would cut its corners.
func write(graph, cell, byte):
	free[cell] = byte
	graph.set_point_disabled(cell, not byte)
	var x = cell % side
	var y = cell / side
	for around in [[x - 1, y, x, y - 1], [x, y - 1, x + 1, y], [x + 1, y, x, y + 1], [x, y + 1, x - 1, y]]:
		if is_free(around[0], around[1]) and is_free(around[2], around[3]):
			var a = around[1] * side + around[0]
			var b = around[3] * side + around[2]
			var corner = (around[1] + around[3] - y) * side + around[0] + around[2] - x
			if byte and free[corner]:
				graph.connect_points(a, b)
			else:
				graph.disconnect_points(a, b)


func cost_of(path):
	var cost = 0.0
	for i in range(1, path.size()):
		cost += 1.0 if path[i] % side == path[i - 1] % side or path[i] / side == path[i - 1] / side else sqrt(2.0)
	return cost


func tell(what, path):
	print("replan %s %.9f" % [what, cost_of(path)])


func _init():
	var file = File.new()
	file.open(OS.get_environment("REPLAN_GRID"), File.READ)
	var head = file.get_line().split(" ")
	side = int(head[0])
	for _y in range(side):
		var row = file.get_line()
		for x in range(side):
			free.append(row[x] == ".")
	var graph = AStar2D.new()
	graph.reserve_space(side * side)
	connect_all(graph)
	for _round in range(int(head[1])):
		var path = graph.get_id_path(0, side * side - 1)
		tell("scratch", path)
		var cell = path[path.size() / 2]
		write(graph, cell, false)
		path = graph.get_id_path(0, side * side - 1)
		tell("change %d" % cell, path)
		write(graph, cell, true)
	quit()
