package code

import "slices"

// Limits of the search for matching lines.
const (
	// maxEdits is the maximum length of the edit script between two anchors; its search
	// takes time and memory of its square.
	maxEdits = 400
	// maxCells is the maximum size of the table that pairs the instructions of a gap.
	maxCells = 1 << 18
)

// align finds which lines correspond: equal ones, then, between these, those of the same
// operation.
func align(a, b []line) []row {
	equal := anchors(a, b)
	var rows []row
	i, j := 0, 0
	for _, m := range append(equal, row{len(a), len(b)}) {
		rows = append(rows, pairGap(a, b, i, m.a, j, m.b)...)
		i, j = m.a, m.b
		if i < len(a) && j < len(b) {
			rows = append(rows, m)
			i, j = i+1, j+1
		}
	}
	return rows
}

// anchors returns the pairs of equal lines, in order: those at both ends, then those
// between lines that both sides have once (patience diff, Cohen 2003), which keep two
// listings together however much of them moved.
func anchors(a, b []line) []row {
	var head, tail []row
	i, j, m, n := 0, 0, len(a), len(b)
	for i < m && j < n && a[i].key == b[j].key {
		head = append(head, row{i, j})
		i, j = i+1, j+1
	}
	for m > i && n > j && a[m-1].key == b[n-1].key {
		m, n = m-1, n-1
		tail = append(tail, row{m, n})
	}
	slices.Reverse(tail)
	for _, u := range append(patience(a, b, i, m, j, n), row{m, n}) {
		head = append(head, shortest(a, b, i, u.a, j, u.b)...)
		if u.a < m {
			head = append(head, u)
		}
		i, j = u.a+1, u.b+1
	}
	return append(head, tail...)
}

// patience returns the longest sequence of lines that a[i:m] and b[j:n] have once each,
// in the same order.
func patience(a, b []line, i, m, j, n int) []row {
	once := func(l []line, from, to int) map[string]int {
		at := make(map[string]int, to-from)
		for k := from; k < to; k++ {
			if _, ok := at[l[k].key]; ok {
				at[l[k].key] = -1
			} else {
				at[l[k].key] = k
			}
		}
		return at
	}
	inB := once(b, j, n)
	var common []row
	for key, k := range once(a, i, m) {
		if other, ok := inB[key]; ok && k >= 0 && other >= 0 {
			common = append(common, row{k, other})
		}
	}
	slices.SortFunc(common, func(x, y row) int { return x.a - y.a })
	return increasing(common)
}

// increasing returns the longest part of rows, sorted by a, in which b grows too.
func increasing(rows []row) []row {
	var piles []int // of each length, the row that ends with the smallest b
	before := make([]int, len(rows))
	for i, r := range rows {
		p, _ := slices.BinarySearchFunc(piles, r.b, func(k, b int) int { return rows[k].b - b })
		before[i] = -1
		if p > 0 {
			before[i] = piles[p-1]
		}
		piles = append(piles[:p], append([]int{i}, piles[min(p+1, len(piles)):]...)...)
	}
	if len(piles) == 0 {
		return nil
	}
	var out []row
	for k := piles[len(piles)-1]; k >= 0; k = before[k] {
		out = append(out, rows[k])
	}
	slices.Reverse(out)
	return out
}

// shortest returns the equal lines of a[i:m] and b[j:n] by a shortest edit script (Myers
// 1986, "An O(ND) difference algorithm and its variations"), or none if that has more
// than maxEdits edits.
func shortest(a, b []line, i, m, j, n int) []row {
	a, b = a[i:m], b[j:n]
	var trace [][]int
	v := make([]int, 2*maxEdits+3)
	mid := maxEdits + 1
	for d := 0; d <= min(len(a)+len(b), maxEdits); d++ {
		trace = append(trace, slices.Clone(v[mid-d-1:mid+d+2]))
		for k := -d; k <= d; k += 2 {
			x := v[mid+k-1] + 1
			if k == -d || k != d && v[mid+k-1] < v[mid+k+1] {
				x = v[mid+k+1]
			}
			for x < len(a) && x-k < len(b) && a[x].key == b[x-k].key {
				x++
			}
			v[mid+k] = x
			if x >= len(a) && x-k >= len(b) {
				return equalLines(trace, len(a), len(b), i, j)
			}
		}
	}
	return nil
}

// equalLines reads the equal lines out of the furthest points of each number of edits.
func equalLines(trace [][]int, x, y, i, j int) []row {
	var out []row
	for d := len(trace) - 1; d >= 0; d-- {
		v, mid := trace[d], d+1 // v[mid+k] is diagonal k before the d-th edit
		k := x - y
		prev := k - 1
		if k == -d || k != d && v[mid+k-1] < v[mid+k+1] {
			prev = k + 1
		}
		px := v[mid+prev]
		py := px - prev
		if d == 0 {
			px, py = 0, 0
		}
		for x > px && y > py {
			x, y = x-1, y-1
			out = append(out, row{i + x, j + y})
		}
		x, y = px, py
	}
	slices.Reverse(out)
	return out
}

// pairGap pairs the different lines a[i:m] and b[j:n] by the longest common sequence of
// their operations, so that a changed operand stands beside the other.
func pairGap(a, b []line, i, m, j, n int) []row {
	var rows []row
	if m > i && n > j && (m-i)*(n-j) <= maxCells {
		table, x, y := longestCommon(a[i:m], b[j:n]), i, j
		for i < m && j < n {
			switch {
			case a[i].op == b[j].op:
				rows = append(rows, row{i, j})
				i, j = i+1, j+1
			case table[i-x+1][j-y] >= table[i-x][j-y+1]:
				rows = append(rows, row{i, -1})
				i++
			default:
				rows = append(rows, row{-1, j})
				j++
			}
		}
	}
	for ; i < m; i++ {
		rows = append(rows, row{i, -1})
	}
	for ; j < n; j++ {
		rows = append(rows, row{-1, j})
	}
	return rows
}

// longestCommon returns the lengths of the longest common sequences of operations of all
// ends of a and b.
func longestCommon(a, b []line) [][]int {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i].op == b[j].op {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}
