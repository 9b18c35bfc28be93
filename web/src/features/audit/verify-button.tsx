/** Proves an audit log: a long one by several requests, of which each says where the next continues. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/audit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { formatCount } from "../../ui/size.ts";
import { Skeleton } from "../../ui/skeleton.tsx";

type Verification = Schemas["AuditVerification"];

export type Verify = (query: { cursor?: string }) => Promise<{ data?: Verification }>;

export function VerifyButton({ verify }: { verify: Verify }) {
  const [open, setOpen] = useState(false);
  const proof = useMutation({ mutationFn: () => verifyAll(verify) });
  return (
    <>
      <Button
        onClick={() => {
          setOpen(true);
          proof.mutate();
        }}
      >
        {text.verify}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={text.verify} lead={text.verifyHint}>
        {proof.isPending ? <Skeleton lines={2} /> : null}
        {proof.error ? <ProblemNotice error={proof.error} /> : null}
        {proof.data ? <Result verification={proof.data} /> : null}
      </Dialog>
    </>
  );
}

function Result({ verification: { valid, entries, expired, problem } }: { verification: Verification }) {
  return valid === true ? (
    <Notice tone="good">
      {text.proven(formatCount(entries))} {expired > 0 ? text.expired(formatCount(expired)) : null}
    </Notice>
  ) : (
    <Notice tone="bad" title={text.broken}>
      {problem?.message}
    </Notice>
  );
}

async function verifyAll(verify: Verify): Promise<Verification | undefined> {
  let { data } = await verify({});
  while (data?.valid === null && data.next !== null) data = (await verify({ cursor: data.next })).data;
  return data;
}
