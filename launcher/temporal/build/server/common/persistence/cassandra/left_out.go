// Package cassandra stands in for storage in Cassandra: we store in PostgreSQL.
package cassandra

import (
	"errors"

	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/log/tag"
	"go.temporal.io/server/common/metrics"
	"go.temporal.io/server/common/persistence"
	"go.temporal.io/server/common/persistence/serialization"
	"go.temporal.io/server/common/resolver"
)

var errLeftOut = errors.New("this build of Temporal has no Cassandra")

func VerifyCompatibleVersion(cfg config.Persistence, _ resolver.ServiceResolver, _ log.Logger) error {
	if cfg.DataStores[cfg.DefaultStore].Cassandra != nil {
		return errLeftOut
	}
	return nil
}

func NewFactory(_ config.Cassandra, _ resolver.ServiceResolver, _ string, logger log.Logger, _ metrics.Handler, _ serialization.Serializer) persistence.DataStoreFactory {
	logger.Fatal("invalid config", tag.Error(errLeftOut))
	return nil
}
