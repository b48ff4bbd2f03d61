module speed

go 1.24
