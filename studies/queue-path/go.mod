module github.com/seed-1318a441/assay/studies/queue-path

go 1.24
