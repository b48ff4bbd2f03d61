module nasty

go 1.23
