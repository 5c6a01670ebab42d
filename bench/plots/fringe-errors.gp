# Work against the heuristic's error. Given: data (a block for each model), panels[], heading.
set multiplot layout 1, |panels| title heading font ',13' margins 0.08, 0.98, 0.1, 0.88 spacing 0.08, 0.1
set logscale xy
set format y '10^{%L}'
set grid
set xlabel 'error of the heuristic at the start, straight steps (0.5: none)'
set ylabel 'cells a search'
set key top left
array names[3] = ['A*', 'Fringe', 'ME-IDA*']
array colours[3] = [1, 8, 12] # those of the other plots
do for [i = 1:|panels|] {
    set title panels[i]
    plot for [k = 1:3] data index i - 1 using 1:2 * k with linespoints lc colours[k] pt 2 * k + 3 lw 2 title names[k] . ', expanded', \
         for [k = 1:3] data index i - 1 using 1:2 * k + 1 with linespoints lc colours[k] pt 2 * k + 2 dt 2 lw 1.5 title names[k] . ', visited'
}
unset multiplot
