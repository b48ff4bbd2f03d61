// Command sql-server is go-mysql-server with one database in memory, sbtest: what
// sysbench needs.
package main

import (
	"flag"
	"log"

	sqle "github.com/dolthub/go-mysql-server"
	"github.com/dolthub/go-mysql-server/memory"
	"github.com/dolthub/go-mysql-server/server"
	"github.com/dolthub/go-mysql-server/sql"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:3306", "`address` to listen on")
	flag.Parse()
	db := memory.NewDatabase("sbtest")
	db.BaseDatabase.EnablePrimaryKeyIndexes()
	pro := memory.NewDBProvider(db)
	config := server.Config{Protocol: "tcp", Address: *addr}
	s, err := server.NewServer(config, sqle.NewDefault(pro), sql.NewContext, memory.NewSessionBuilder(pro), nil)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(s.Start())
}
