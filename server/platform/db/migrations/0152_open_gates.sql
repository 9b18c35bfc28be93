-- Gates that people can still decide at, for the list of those that wait for somebody. Those of runs that were ended stay open until their time is over.
create index approval_gates_open on approval_gates (expires_at) where state = 'open';
