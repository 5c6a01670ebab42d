#!/usr/bin/python3
"""Draw the simulator's terminal view into a PNG.

usage: terminal.py BIN OUT.png [SCENARIO [SECONDS]]

Starts BIN/repland on free ports and BIN/replan-sim in a pseudo terminal, reads what the simulator
draws for SECONDS (default 8), and renders the last screen. Needs python3-pyte, python3-pil and
fonts-dejavu-core (`./run picture` installs them).
"""
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time

import pyte
from PIL import Image, ImageDraw, ImageFont

COLUMNS, ROWS = 120, 42
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


def watch(command, seconds):
    """Run a command in a pseudo terminal. Returns the screen as it was after so many seconds."""
    screen = pyte.Screen(COLUMNS, ROWS)
    stream = pyte.ByteStream(screen)
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(TERM='xterm-256color', LANG='C.UTF-8')
        os.execv(command[0], command)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack('HHHH', ROWS, COLUMNS, 0, 0))
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if select.select([terminal], [], [], 0.1)[0]:
            stream.feed(os.read(terminal, 65536))
    os.kill(child, 15)
    os.waitpid(child, 0)
    return screen


def render(screen, path):
    """Draw a screen, a box of one size for each character."""
    font = ImageFont.truetype(FONT, 14)
    width, height = int(font.getlength('M')), sum(font.getmetrics())
    image = Image.new('RGB', (COLUMNS * width, ROWS * height), BACKGROUND)
    draw = ImageDraw.Draw(image)
    for y in range(ROWS):
        for x in range(COLUMNS):
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
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    programs, path = sys.argv[1], sys.argv[2]
    scenario = sys.argv[3] if len(sys.argv) > 3 else 'warcraft'
    seconds = float(sys.argv[4]) if len(sys.argv) > 4 else 8.0
    daemon, control = start_daemon(programs)
    try:
        render(watch([f'{programs}/replan-sim', '--scenario', scenario, '--control', control], seconds), path)
    finally:
        daemon.kill()


main()
