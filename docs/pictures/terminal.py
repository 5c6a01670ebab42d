#!/usr/bin/python3
"""Draw the terminal view into a PNG.

usage: terminal.py BIN OUT.png [SCENARIO [SECONDS [COLUMNSxROWS [view [KEYS]]]]]

Starts BIN/repland on free ports and BIN/replan-sim in tmux, lets the simulator draw for SECONDS
(default 8), and renders the last screen. With `view` the simulator draws nothing,
and it is `replan view` that runs in the terminal; KEYS are typed into it. Needs tmux,
python3-pyte, python3-pil and fonts-dejavu-core (`./run picture` installs them).
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

import pyte
from PIL import Image, ImageDraw, ImageFont

FONT = '/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf'
FOREGROUND, BACKGROUND = (0xd0, 0xd0, 0xd0), (0x14, 0x16, 0x1a)
COLOURS = {
    'black': (0x14, 0x16, 0x1a), 'red': (0xd0, 0x50, 0x50), 'green': (0x60, 0xb0, 0x60), 'brown': (0xc8, 0xa0, 0x50),
    'blue': (0x50, 0x80, 0xd0), 'magenta': (0xb0, 0x70, 0xc0), 'cyan': (0x50, 0xb0, 0xb8), 'white': FOREGROUND,
}


def colour(name, default):
    """RGB of a pyte colour: a name, six hexadecimal digits, or 'default'."""
    if re.fullmatch('[0-9a-f]{6}', name):
        return tuple(bytes.fromhex(name))
    return COLOURS.get(name.replace('bright', ''), default)


def start_daemon(programs):
    """Start repland on ports of its own. Returns the process and its control endpoint."""
    sockets = [f'--{name}=tcp://127.0.0.1:*' for name in ('control', 'changes', 'paths', 'poses')]
    daemon = subprocess.Popen([f'{programs}/repland', *sockets], stderr=subprocess.PIPE, text=True)
    for line in daemon.stderr:
        ready = re.search(r'event=ready.* control=(\S+)', line)
        if ready:
            return daemon, ready.group(1)
    sys.exit('terminal.py: repland did not start')


def watch(command, seconds, columns, rows, keys=''):
    """Run a command in a terminal of tmux's. Returns the screen as it was after so many seconds."""
    socket = os.path.join(tempfile.mkdtemp(), 'tmux')

    def tmux(*arguments):
        return subprocess.run(['tmux', '-S', socket, '-f', '/dev/null', *arguments], capture_output=True, check=True).stdout

    tmux('new-session', '-d', '-x', str(columns), '-y', str(rows + 1), *command)
    try:
        tmux('set', '-g', 'status', 'off')
        tmux('resize-window', '-x', str(columns), '-y', str(rows))
        time.sleep(seconds / 2)
        if keys:
            tmux('send-keys', '-l', keys)
        time.sleep(seconds / 2)
        drawn = tmux('capture-pane', '-p', '-e', '-N')
    finally:
        tmux('kill-server')
    screen = pyte.Screen(columns, rows)
    pyte.ByteStream(screen).feed(drawn.rstrip(b'\n').replace(b'\n', b'\r\n'))
    return screen


def render(screen, path):
    """Draw a screen, a box of one size for each character."""
    font = ImageFont.truetype(FONT, 14)
    width, height = int(font.getlength('M')), sum(font.getmetrics())
    image = Image.new('RGB', (screen.columns * width, screen.lines * height), BACKGROUND)
    draw = ImageDraw.Draw(image)
    for y in range(screen.lines):
        for x in range(screen.columns):
            cell = screen.buffer[y][x]
            ink, paper = colour(cell.fg, FOREGROUND), colour(cell.bg, BACKGROUND)
            if cell.reverse:
                ink, paper = paper, ink
            left, top = x * width, y * height
            draw.rectangle((left, top, left + width - 1, top + height - 1), fill=paper)
            if cell.data == '▀':
                draw.rectangle((left, top, left + width - 1, top + height // 2 - 1), fill=ink)
            elif cell.data == '▄':
                draw.rectangle((left, top + height // 2, left + width - 1, top + height - 1), fill=ink)
            elif cell.data.strip():
                draw.text((left, top), cell.data, font=font, fill=ink)
    image.save(path, optimize=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split('\n\n')[1].removeprefix('usage: '))
    parser.add_argument('programs')
    parser.add_argument('out')
    parser.add_argument('scenario', nargs='?', default='warcraft')
    parser.add_argument('seconds', nargs='?', type=float, default=8.0)
    parser.add_argument('size', nargs='?', default='120x42')
    parser.add_argument('view', nargs='?', choices=['view'])
    parser.add_argument('keys', nargs='?', default='')
    asked = parser.parse_args()
    columns, rows = map(int, asked.size.split('x'))
    daemon, control = start_daemon(asked.programs)
    simulator = [f'{asked.programs}/replan-sim', '--scenario', asked.scenario, '--control', control]
    other = None
    try:
        if asked.view:
            other = subprocess.Popen([*simulator, '--headless'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(1)
            command = [f'{asked.programs}/replan', 'view', '-c', control]
        else:
            command = simulator
        render(watch(command, asked.seconds, columns, rows, asked.keys), asked.out)
    finally:
        daemon.kill()
        if other:
            other.kill()


main()
