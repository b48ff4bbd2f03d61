module example.com/arc

go 1.26
