-- Attempts that were signed and queued by a release that did not label them: without the label, runners that execute only what is
-- signed do not take them. Those that wait are few, and what runs needs no label.
update job_attempts a set labels = array(
  select l.label from unnest(a.labels || '@signed'::text) as l(label) order by l.label collate "C")
where a.state = 'queued' and not a.labels @> array['@signed'] and exists (select from signed_jobs s where s.attempt_id = a.id);
