package why

import "testing"

var sink *node

func BenchmarkReturned(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink = returned()
	}
}
