# How long from a change to settled, over sockets. Given: data (percent, then a column a case), names[], heading.
set title heading font ',13'
set xlabel 'percent of the changes'
set ylabel 'milliseconds from sending a change to settled'
set logscale y
set grid
set key left top noenhanced
set xrange [0:100]
set arrow 1 from 0, 2 to 100, 2 nohead dt 2
set arrow 2 from 0, 10 to 100, 10 nohead dt 2
set label 1 'asked for: half of them within 2 ms' at 99, 1.75 right
set label 2 'and 99 % within 10 ms' at 99, 8.7 right
plot for [i = 1:|names|] data using 1:(column(i + 1)) with lines lw 2 title names[i]
