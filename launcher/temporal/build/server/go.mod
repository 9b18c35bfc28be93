// In place of Temporal's own, whose hundreds of requirements are in ../go.mod as far as they are needed.
module go.temporal.io/server

go 1.26
