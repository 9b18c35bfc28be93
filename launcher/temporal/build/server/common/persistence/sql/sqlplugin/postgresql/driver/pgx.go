package driver

import (
	"errors"

	"github.com/jmoiron/sqlx"
)

// PGXDriver would serve postgres12_pgx; our configuration says postgres12, whose driver is another one.
type PGXDriver struct{}

var errLeftOut = errors.New("this build of Temporal has no postgres12_pgx; use postgres12")

func (*PGXDriver) CreateConnection(string) (*sqlx.DB, error) { return nil, errLeftOut }

func (*PGXDriver) CreateRefreshableConnection(func() (string, error)) (*sqlx.DB, error) {
	return nil, errLeftOut
}

func (*PGXDriver) IsDupEntryError(error) bool { return false }

func (*PGXDriver) IsDupDatabaseError(error) bool { return false }

func (*PGXDriver) IsObjectInUseError(error) bool { return false }

func (*PGXDriver) IsConnNeedsRefreshError(error) bool { return false }
