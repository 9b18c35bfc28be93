// Package mysql stands in for the plugin, of which others use the name. It registers nothing: asking for it is an error.
package mysql

const PluginName = "mysql8"
