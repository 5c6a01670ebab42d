/// Half blocks by ncurses. Pairs of paints become colour pairs when they are first needed.
#include "view/canvas.h"

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>

#define UPPER_HALF L'\u2580'

/// Numbers of the xterm palette, and of the eight that every terminal has.
typedef struct colour {
    uint8_t many;
    uint8_t few;
} colour_t;

static const colour_t colours[RP_PAINT_COUNT] = {
    [RP_PAINT_NOTHING] = {16, COLOR_BLACK},      [RP_PAINT_FOG] = {237, COLOR_BLACK},
    [RP_PAINT_FLOOR] = {233, COLOR_BLACK},       [RP_PAINT_GRASS] = {64, COLOR_GREEN},
    [RP_PAINT_MEADOW] = {70, COLOR_GREEN},       [RP_PAINT_HIGHLAND] = {143, COLOR_YELLOW},
    [RP_PAINT_SAND] = {186, COLOR_YELLOW},       [RP_PAINT_ROAD] = {137, COLOR_YELLOW},
    [RP_PAINT_RAMP] = {101, COLOR_YELLOW},       [RP_PAINT_BRIDGE] = {130, COLOR_YELLOW},
    [RP_PAINT_RUBBLE] = {95, COLOR_WHITE},       [RP_PAINT_TREE] = {22, COLOR_BLACK},
    [RP_PAINT_SPRUCE] = {28, COLOR_BLACK},       [RP_PAINT_WATER] = {25, COLOR_BLUE},
    [RP_PAINT_WAVE] = {26, COLOR_BLUE},          [RP_PAINT_CLIFF] = {240, COLOR_BLACK},
    [RP_PAINT_BUILDING] = {88, COLOR_RED},       [RP_PAINT_WALL] = {242, COLOR_WHITE},
    [RP_PAINT_FRESH_BLOCKED] = {196, COLOR_RED}, [RP_PAINT_FRESH_FREE] = {217, COLOR_WHITE},
    [RP_PAINT_TEXT] = {255, COLOR_WHITE},        [RP_PAINT_FAINT] = {247, COLOR_WHITE},
    [RP_PAINT_GOOD] = {120, COLOR_GREEN},        [RP_PAINT_BAD] = {203, COLOR_RED},
    [RP_PAINT_COSTLY] = {236, COLOR_BLACK},      [RP_PAINT_COSTLIER] = {58, COLOR_YELLOW},
    [RP_PAINT_COSTLIEST] = {94, COLOR_YELLOW},   [RP_PAINT_INSCRIBED] = {53, COLOR_MAGENTA},
    [RP_PAINT_DEAR] = {17, COLOR_BLUE},          [RP_PAINT_NEAR] = {54, COLOR_MAGENTA},
    [RP_PAINT_GHOST] = {103, COLOR_WHITE},       [RP_PAINT_FLASH] = {231, COLOR_WHITE},
    [RP_PAINT_BAR] = {235, COLOR_BLACK},         [RP_PAINT_AGENT] = {226, COLOR_CYAN},
    [RP_PAINT_AGENT + 1] = {201, COLOR_MAGENTA}, [RP_PAINT_AGENT + 2] = {51, COLOR_CYAN},
    [RP_PAINT_AGENT + 3] = {223, COLOR_MAGENTA}, [RP_PAINT_AGENT + 4] = {208, COLOR_CYAN},
    [RP_PAINT_AGENT + 5] = {159, COLOR_MAGENTA}, [RP_PAINT_AGENT + 6] = {213, COLOR_CYAN},
    [RP_PAINT_AGENT + 7] = {118, COLOR_MAGENTA},
};

#define FEW 8

static int pair_count(const rp_canvas_t *self)
{
    return self->many_colours ? RP_PAINT_COUNT * RP_PAINT_COUNT + 1 : FEW * FEW + 1;
}

static int pair_of(rp_canvas_t *self, rp_paint_t ink, rp_paint_t paper)
{
    const int pair = self->many_colours ? 1 + (int)ink * RP_PAINT_COUNT + (int)paper
                                        : 1 + colours[ink].few * FEW + colours[paper].few;
    if (!self->has_pair[pair]) {
        self->has_pair[pair] = true;
        init_extended_pair(pair, self->many_colours ? colours[ink].many : colours[ink].few,
                           self->many_colours ? colours[paper].many : colours[paper].few);
    }
    return pair;
}

static void put(rp_canvas_t *self, int row, int column, wchar_t letter, attr_t attributes,
                rp_paint_t ink, rp_paint_t paper)
{
    const wchar_t text[2] = {letter, L'\0'};
    cchar_t cell;
    int pair = pair_of(self, ink, paper);
    setcchar(&cell, text, attributes, 0, &pair);
    mvadd_wch(row, column, &cell);
}

// ---- drawing

void rp_canvas_paint(rp_canvas_t *self, int above)
{
    for (int y = 0; y < self->height; y += self->half_blocks ? 2 : 1) {
        for (int x = 0; x < self->width; x++) {
            const rp_paint_t upper = self->pixels[y * self->width + x];
            if (self->half_blocks) {
                const rp_paint_t lower = self->pixels[(y + 1) * self->width + x];
                put(self, above + y / 2, x, UPPER_HALF, A_NORMAL, upper, lower);
            } else {
                put(self, above + y, 2 * x, L' ', A_NORMAL, RP_PAINT_TEXT, upper);
                put(self, above + y, 2 * x + 1, L' ', A_NORMAL, RP_PAINT_TEXT, upper);
            }
        }
    }
}

bool rp_canvas_place(const rp_canvas_t *self, int above, int x, int y, int *row, int *column)
{
    *row = above + (self->half_blocks ? y / 2 : y);
    *column = self->half_blocks ? x : 2 * x;
    return x >= 0 && y >= 0 && x < self->width && y < self->height;
}

void rp_canvas_letter(rp_canvas_t *self, int row, int column, wchar_t letter, rp_paint_t ink,
                      rp_paint_t paper)
{
    if (row >= 0 && column >= 0 && row < self->rows && column < self->columns) {
        put(self, row, column, letter, A_BOLD, ink, paper);
    }
}

int rp_canvas_text(rp_canvas_t *self, int row, int column, rp_paint_t ink, const char *text)
{
    int pair = pair_of(self, ink, RP_PAINT_BAR);
    attr_set(ink == RP_PAINT_FAINT ? A_NORMAL : A_BOLD, 0, &pair);
    if (column < self->columns) {
        mvaddnstr(row, column, text, self->columns - column);
    }
    pair = 0;
    attr_set(A_NORMAL, 0, &pair);
    return column + (int)strlen(text); // the cursor went on to the next line, if it was cut
}

void rp_canvas_bar(rp_canvas_t *self, int row)
{
    for (int column = 0; column < self->columns; column++) {
        put(self, row, column, L' ', A_NORMAL, RP_PAINT_TEXT, RP_PAINT_BAR);
    }
}

void rp_canvas_show(rp_canvas_t *self)
{
    (void)self;
    refresh();
}

// ---- birth and death

bool rp_canvas_fit(rp_canvas_t *self, int above, int below)
{
    const int rows = LINES - above - below > 1 ? LINES - above - below : 1;
    const int width = self->half_blocks ? COLS : COLS / 2;
    const int height = self->half_blocks ? 2 * rows : rows;
    if (self->pixels != NULL && width == self->width && height == self->height) {
        return true;
    }
    free(self->pixels);
    self->pixels = calloc((size_t)width * (size_t)height, 1);
    self->columns = COLS;
    self->rows = LINES;
    self->width = width;
    self->height = height;
    erase();
    return self->pixels != NULL;
}

/// In the plain C locale a terminal of today shows UTF-8 all the same; any other is obeyed.
static bool can_show_half_blocks(void)
{
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "ANSI_X3.4-1968") == 0) {
        setlocale(LC_CTYPE, "C.UTF-8");
    }
    return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool rp_canvas_open(rp_canvas_t *self)
{
    *self = (rp_canvas_t){.half_blocks = can_show_half_blocks()};
    SCREEN *screen = newterm(NULL, stdout, stdin);
    if (screen == NULL) {
        return false;
    }
    set_term(screen);
    if (!has_colors() || start_color() == ERR) {
        endwin();
        return false;
    }
    self->many_colours = COLORS >= 256 && COLOR_PAIRS > RP_PAINT_COUNT * RP_PAINT_COUNT;
    self->has_pair = calloc((size_t)pair_count(self), sizeof *self->has_pair);
    if (self->has_pair == NULL) {
        endwin();
        return false;
    }
    cbreak();
    noecho();
    curs_set(0);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    return true;
}

void rp_canvas_close(rp_canvas_t *self)
{
    if (self->has_pair != NULL) {
        endwin();
    }
    free(self->has_pair);
    free(self->pixels);
    *self = (rp_canvas_t){0};
}
