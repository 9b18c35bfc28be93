// In place of its own, whose hundreds of requirements are in ../go.mod as far as they are needed.
module go.temporal.io/auto-scaled-workers

go 1.26
