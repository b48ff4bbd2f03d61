package alloc

import "slices"

// sizeClasses are the sizes in bytes to which Go's allocator rounds small objects up:
// gc.SizeClassToSize of internal/runtime/gc/sizeclasses.go, the same from go1.24 (where
// it is runtime/sizeclasses.go) to go1.27.
var sizeClasses = []int64{8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320,
	352, 384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024, 1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072,
	3200, 3456, 4096, 4864, 5376, 6144, 6528, 6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384,
	18432, 19072, 20480, 21760, 24576, 27264, 28672, 32768}

// pageSize is the unit in bytes of larger objects: gc.PageShift.
const pageSize = 8192

// SizeClass rounds the size of an object in bytes up as the allocator does: to a class,
// and above the largest one to pages. A size of 0 or below is 0.
func SizeClass(size int64) int64 {
	if size <= 0 {
		return 0
	}
	if i, _ := slices.BinarySearch(sizeClasses, size); i < len(sizeClasses) {
		return sizeClasses[i]
	}
	return (size-1)/pageSize*pageSize + pageSize
}
