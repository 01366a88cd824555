# Shares of random lifetimes within a height: gnuplot arena.gnuplot >arena.svg, in the folder of share-*.dat
# and of style.gnuplot, which `highwater plot --style` wrote.
set terminal svg size 900,560 fixed font 'sans,12' noenhanced background '#ffffff'
load 'style.gnuplot'
set xrange [1:3]
set yrange [0:100]
set xlabel 'height / load'
set ylabel 'arenas of at most that height (%)'
set title 'Random lifetimes: what an allocator needs beyond the load'
set key bottom right
names = 'exact hill-climb greedy-by-size best-fit first-fit greedy-by-conflicts bucket-pool'
has(name) = int(system('test -s share-'.name.'.dat && echo 1 || echo 0'))
plot for [i = 1:7] (has(word(names, i)) ? 'share-'.word(names, i).'.dat' : '/dev/null') using 1:2 with steps ls i lw 2 title (has(word(names, i)) ? word(names, i) : '')
