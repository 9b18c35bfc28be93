// Package gocql stands in for the driver of Cassandra: what reads the configuration needs these names.
package gocql

import "errors"

type Consistency uint16

type SerialConsistency uint16

var errLeftOut = errors.New("this build of Temporal has no Cassandra")

func ParseConsistency(string) Consistency { panic(errLeftOut) }

func ParseConsistencyWrapper(string) (Consistency, error) { return 0, errLeftOut }

func (*SerialConsistency) UnmarshalText([]byte) error { return errLeftOut }
