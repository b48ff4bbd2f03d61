package disk

import "testing"

func TestSize(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "7": 7, "20GB": 20e9, "1.5GB": 1.5e9, "500mb": 500e6, "2 GiB": 2 << 30, " 3KiB ": 3 << 10, "1TB": 1e12, "10B": 10} {
		if got, err := ParseSize(text); got != want || err != nil {
			t.Errorf("%q: got %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "lots", "GB", "-1GB", "NaN", "Inf", "1 2", "20 gigs", "99999999TB", "0x10"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q: got %d, want an error", text, got)
		}
	}
	for n, want := range map[int64]string{0: "0 B", 1023: "1023 B", 1 << 10: "1 KiB", 1536: "1.5 KiB", 300 << 20: "300 MiB", 10 << 30: "10 GiB", 25e9: "23 GiB"} {
		if got := SizeText(n); got != want {
			t.Errorf("%d: got %q, want %q", n, got, want)
		}
	}
}
