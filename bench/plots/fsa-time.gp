# Time against change rate, a panel for each closeness. Given: data, names[], panels[], heading.
columns = |panels| > 4 ? 3 : 2
rows = (|panels| + columns - 1) / columns
set multiplot layout rows, columns title heading font ',13' margins 0.07, 0.82, 0.08, 0.89 spacing 0.08, 0.16
set logscale y
set format y '10^{%L}'
set grid
set xlabel 'change rate'
set ylabel 'us a replan'
set xrange [0:0.52]
do for [i = 1:|panels|] {
    set title panels[i]
    # One legend for all panels, in the margin.
    if (i == columns) { set key at screen 0.99, screen 0.88 right top } else { unset key }
    plot for [k = 1:|names|] data index i - 1 using 1:k + 1 with linespoints lc k pt k ps 0.9 lw 1.5 title names[k]
}
unset multiplot
