# Shares of random lifetimes within a height: gnuplot arena.gnuplot >arena.svg, in the folder of share-*.dat.
set terminal svg size 900,560 fixed font 'sans,12' noenhanced background '#ffffff'
set encoding utf8
set border 3
set tics out nomirror
set grid lc rgb '#dddddd' lt 1
set xrange [1:3]
set yrange [0:100]
set xlabel 'height / load'
set ylabel 'arenas of at most that height (%)'
set title 'Random lifetimes: what an allocator needs beyond the load'
set key bottom right reverse Left
set style line 1 lw 2.2 lc rgb '#000000'
set style line 2 lw 2.2 lc rgb '#0072B2'
set style line 3 lw 2.2 lc rgb '#009E73'
set style line 4 lw 2.2 lc rgb '#56B4E9' dt (8,4)
set style line 5 lw 2.2 lc rgb '#E69F00'
set style line 6 lw 2.2 lc rgb '#D55E00' dt (8,4)
set style line 7 lw 2.2 lc rgb '#CC79A7'
names = 'exact hill-climb greedy-by-size best-fit first-fit greedy-by-conflicts bucket-pool'
has(name) = int(system('test -s share-'.name.'.dat && echo 1 || echo 0'))
plot for [i = 1:7] (has(word(names, i)) ? 'share-'.word(names, i).'.dat' : '/dev/null') using 1:2 with steps ls i title (has(word(names, i)) ? word(names, i) : '')
