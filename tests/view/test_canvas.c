/// Text on a terminal that is narrower than it.
#include "view/canvas.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/support/suite.h"

static rp_canvas_t canvas;
static int real_output;

/// A terminal of 20 x 6 characters that nobody sees.
static void open_canvas(void)
{
    setenv("TERM", "xterm-256color", 1);
    setenv("COLUMNS", "20", 1);
    setenv("LINES", "6", 1);
    real_output = dup(STDOUT_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
    ck_assert(rp_canvas_open(&canvas));
    ck_assert(rp_canvas_fit(&canvas, 3, 2));
}

static void tear_down(void)
{
    rp_canvas_close(&canvas);
    dup2(real_output, STDOUT_FILENO);
    close(real_output);
}

START_TEST(text_ends_where_it_would_though_it_is_cut)
{
    open_canvas();
    ck_assert_int_eq(rp_canvas_text(&canvas, 2, 1, RP_PAINT_TEXT, "hunter"), 7);
    ck_assert_int_eq(rp_canvas_text(&canvas, 2, 7, RP_PAINT_TEXT, "rings of agents"), 22);
    ck_assert_int_eq(rp_canvas_text(&canvas, 2, 22, RP_PAINT_GOOD, "violations"), 32);
    ck_assert_int_eq(rp_canvas_text(&canvas, 5, 12, RP_PAINT_TEXT, "q quit  tab next"), 28);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {text_ends_where_it_would_though_it_is_cut};
    return rp_suite_run("canvas", tests, 1, 1, tear_down);
}
