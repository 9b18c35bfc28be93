-- Who signed a push, where its client signs. A refused push keeps nothing, so its certificate may come again.
alter table pushes
  -- What is known of the signature; null for a push without one.
  add column signature text check (signature in ('verified', 'unknown_key', 'unchecked')),
  -- Fingerprint of the SSH key that signed; null where it was none.
  add column signer text,
  -- As it came, with its signature.
  add column certificate bytea,
  -- SHA-256 (hex) of what was signed: each text counts once, however its signature is written.
  add column certificate_digest text,
  add constraint pushes_signed check (
    num_nulls(signature, certificate, certificate_digest) in (0, 3) and (signer is null or signature is not null)
  );
create unique index pushes_certificate on pushes (repository_id, certificate_digest)
  where certificate_digest is not null and state <> 'refused';
