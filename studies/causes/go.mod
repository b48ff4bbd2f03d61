module github.com/seed-1318a441/assay/studies/causes

go 1.24
