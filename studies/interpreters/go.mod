module github.com/seed-1318a441/assay/studies/interpreters

go 1.24

tool (
	github.com/d5/tengo/v2/cmd/tengo
	github.com/yuin/gopher-lua/cmd/glua
)

require (
	github.com/chzyer/readline v0.0.0-20180603132655-2972be24d48e // indirect
	github.com/d5/tengo/v2 v2.17.0 // indirect
	github.com/yuin/gopher-lua v1.1.2 // indirect
	golang.org/x/sys v0.0.0-20190204203706-41f3e6584952 // indirect
)
