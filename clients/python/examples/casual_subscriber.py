#!/usr/bin/python3
"""Print the paths of a world as they are published: best effort, nothing is asked for.

usage: casual_subscriber.py WORLD [PATHS_ENDPOINT]

Answers may be missed, which a jump of path_seq shows; who must not miss any uses Client.watch().
"""
import sys

import replan
import zmq

if len(sys.argv) < 2 or sys.argv[1] == "--help":
    sys.exit(__doc__)
world = sys.argv[1]
paths = sys.argv[2] if len(sys.argv) > 2 else "tcp://127.0.0.1:7402"

socket = zmq.Context.instance().socket(zmq.SUB)
socket.subscribe(f"path/{world}/")
socket.connect(paths)
while True:
    topic, body = socket.recv_multipart()
    answer = replan.Answer.parse(body)
    print(f"{answer.path_seq}: {answer}", flush=True)
