module github.com/seed-1318a441/assay/studies/go-toml/suite

go 1.24

require github.com/pelletier/go-toml/v2 v2.4.3
