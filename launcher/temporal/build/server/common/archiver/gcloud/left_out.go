// Package gcloud stands in for archival to Google Cloud Storage, whose library is large and which we never configure.
package gcloud

import (
	"errors"

	"go.temporal.io/server/common/archiver"
	"go.temporal.io/server/common/config"
	"go.temporal.io/server/common/log"
	"go.temporal.io/server/common/metrics"
	"go.temporal.io/server/common/persistence"
)

const URIScheme = "gs"

var errLeftOut = errors.New("this build of Temporal has no archival to Google Cloud Storage")

func NewHistoryArchiver(persistence.ExecutionManager, log.Logger, metrics.Handler, *config.GstorageArchiver) (archiver.HistoryArchiver, error) {
	return nil, errLeftOut
}

func NewVisibilityArchiver(log.Logger, metrics.Handler, *config.GstorageArchiver) (archiver.VisibilityArchiver, error) {
	return nil, errLeftOut
}
