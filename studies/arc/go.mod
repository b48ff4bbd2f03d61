module github.com/seed-1318a441/assay/studies/arc

go 1.26

// Trees of the repository that make writes, and what is laid over them: neither is
// a package of this module.
ignore (
	./repo
	./base
	./suite
)
