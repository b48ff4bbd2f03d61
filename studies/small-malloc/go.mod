module github.com/seed-1318a441/assay/studies/small-malloc

go 1.24
