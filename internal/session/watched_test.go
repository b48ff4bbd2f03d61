package session

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/seed-1318a441/assay/internal/live"
)

// A pause holds until the key comes again, or the run ends.
func TestPause(t *testing.T) {
	for _, end := range []string{"key", "enough", "over", "none"} {
		t.Run(end, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				enough, over := make(chan struct{}), make(chan struct{})
				p := NewPause(enough, over)
				if end != "none" {
					p.Toggle()
				}
				start, told := time.Now(), ""
				go func() {
					time.Sleep(time.Hour)
					switch end {
					case "key":
						p.Toggle()
					case "enough":
						close(enough)
					case "over":
						close(over)
					}
				}()
				p.wait(func(e live.Event) { told += fmt.Sprint(e.Kind, e.On, " ") })
				waited := time.Since(start)
				switch {
				case end == "none" && (waited > 0 || told != ""):
					t.Errorf("nobody asked, and it waited %v: %s", waited, told)
				case end != "none" && (waited != time.Hour || told != "pausetrue pausefalse "):
					t.Errorf("waited %v: %s", waited, told)
				}
				time.Sleep(2 * time.Hour) // let the goroutine end
			})
		})
	}
}
