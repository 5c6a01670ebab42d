# Who is fastest where. Given: data (a block for each winner: column, row, lead), names[], colours[], heading.
set title heading font ',13'
set xlabel 'change rate'
set ylabel 'closeness'
set key outside right top
set style fill solid 0.55 border lc 'white'
plot for [k = 1:|names|] data index k - 1 using 1:2:(0.5):(0.5) with boxxyerror lc colours[k] title names[k], \
     for [k = 1:|names|] data index k - 1 using 1:2:3 with labels notitle
