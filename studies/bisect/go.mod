module github.com/seed-1318a441/assay/studies/bisect

go 1.26.0
