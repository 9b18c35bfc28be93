package client

import (
	"errors"
	"net/http"
)

// NewAwsHttpClient would sign requests as AWS asks for; its library is large, and we never configure Elasticsearch.
func NewAwsHttpClient(config ESAWSRequestSigningConfig) (*http.Client, error) {
	if config.Enabled {
		return nil, errors.New("this build of Temporal signs no requests for AWS")
	}
	return nil, nil
}
