/** A fault of the database that meets one repository alone: whoever queues one of its jobs is refused. */
import pg from "pg";

export interface Refusal {
  /** How often a job was refused so far. */
  tries(): Promise<number>;
  lift(): Promise<void>;
}

/** Until it is lifted, queueing a job of the repository fails with this SQLSTATE. One at a time in a database. */
export async function refuseAttempts(
  ownerUrl: string,
  repositoryId: string,
  sqlState: string,
): Promise<Refusal> {
  const run = async (sql: string) => {
    const client = new pg.Client({ connectionString: ownerUrl });
    await client.connect();
    try {
      return await client.query<{ tries: string }>(sql);
    } finally {
      await client.end();
    }
  };
  // A sequence keeps its count where the transaction is rolled back.
  await run(`create sequence refused_attempts;
    create function refuse_attempts() returns trigger language plpgsql security definer as $$ begin
      if new.repository_id = tg_argv[0] then
        perform nextval('public.refused_attempts');
        raise exception 'refused by the test' using errcode = tg_argv[1];
      end if;
      return new;
    end $$;
    create trigger refuse_attempts before insert on job_attempts
      for each row execute function refuse_attempts('${repositoryId}', '${sqlState}')`);
  return {
    async tries() {
      const { rows } = await run(
        "select case when is_called then last_value else 0 end as tries from refused_attempts",
      );
      return Number(rows[0]?.tries);
    },
    async lift() {
      await run(`drop trigger refuse_attempts on job_attempts; drop function refuse_attempts();
        drop sequence refused_attempts`);
    },
  };
}
