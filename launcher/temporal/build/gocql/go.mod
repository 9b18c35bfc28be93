// In place of the driver for Cassandra.
module github.com/gocql/gocql

go 1.26
