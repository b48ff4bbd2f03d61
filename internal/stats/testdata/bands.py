# All 32 patterns of signs of six curves over three points; the 95 % point of max |t|.
import itertools, math, statistics as st
curves = [[0.011,-0.020,0.050],[0.002,0.013,-0.081],[-0.007,-0.004,0.022],[0.019,0.007,0.034],[0.004,-0.012,0.090],[-0.003,0.001,-0.017]]
n, cols = len(curves), list(zip(*curves))
mid = [st.mean(c) for c in cols]
tops = []
for tail in itertools.product((1,-1), repeat=n-1):
    w = (1,)+tail
    top = 0
    for c, m in zip(cols, mid):
        x = [wi*(v-m) for wi, v in zip(w, c)]
        top = max(top, abs(st.mean(x))/(st.stdev(x)/math.sqrt(n)))
    tops.append(top)
tops.sort()
c = tops[math.ceil(.95*len(tops))-1]
print("c", c, tops[-1])
for col, m in zip(cols, mid):
    se = st.stdev(col)/math.sqrt(n)
    print(m, m-c*se, m+c*se)
