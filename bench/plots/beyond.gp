# What choosing costs and what it wins. Given: data (row, against the best single planner, against A*), names[], heading.
set multiplot layout 1, 2 title heading font ',13' margins 0.3, 0.97, 0.08, 0.91 spacing 0.05, 0.1
set yrange [|names| - 0.4:-0.6]
set grid x
set style fill solid 0.55 border lc 'white'
set ytics scale 0 font ',8' noenhanced
do for [i = 1:|names|] { set ytics add (names[i] i - 1) }
set xlabel 'auto against the best single planner, times the time'
set xrange [0:*]
set arrow 1 from 1.25, graph 0 to 1.25, graph 1 nohead dt 2
set label 1 'asked for: at most 1.25' at 1.25, graph 1.012 center font ',8'
plot data using ($2 / 2):1:($2 / 2):(0.4) with boxxyerror lc 3 notitle
unset arrow 1
unset label 1
unset ytics
set logscale x
set format x '10^{%L}'
set xrange [1:*]
set xlabel 'times as fast as A* on a heap'
plot data using 3:1:(1):3:($1 - 0.4):($1 + 0.4) with boxxyerror lc 7 notitle
unset multiplot
