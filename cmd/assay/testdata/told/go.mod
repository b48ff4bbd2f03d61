module example.com/told

go 1.24
