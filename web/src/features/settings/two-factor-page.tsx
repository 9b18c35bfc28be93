/** The second factor: off, being set up, or on. Recovery codes show once, right after they were made. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api, api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text, twoFactor as words } from "../../text/settings.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { Form } from "../../ui/form.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useChange } from "../../ui/use-change.ts";
import { PasswordProof } from "./password-proof.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SetUpTwoFactor } from "./set-up-two-factor.tsx";
import styles from "./settings.module.css";

export function TwoFactorPage() {
  const state = $api.useQuery("get", "/user/two-factor");
  const [secret, setSecret] = useState<Schemas["TwoFactorSecret"]>();
  const [codes, setCodes] = useState<readonly string[]>();
  const show = (made: readonly string[] | undefined) => {
    setSecret(undefined);
    setCodes(made);
  };
  return (
    <Page title={text.twoFactor} within={text.menu} lead={words.lead}>
      <QueryView query={state}>
        {(found) =>
          codes ? (
            <RecoveryCodes codes={codes} onDone={() => setCodes(undefined)} />
          ) : secret ? (
            <SetUpTwoFactor secret={secret} onDone={show} onCancel={() => setSecret(undefined)} />
          ) : found.enabled ? (
            <TwoFactorOn left={found.recovery_codes_left} onNewCodes={show} />
          ) : (
            <TwoFactorOff onSecret={setSecret} />
          )
        }
      </QueryView>
    </Page>
  );
}

function TwoFactorOff({ onSecret }: { onSecret: (secret: Schemas["TwoFactorSecret"] | undefined) => void }) {
  const begin = useChange(
    async (password: string) => (await api.POST("/user/two-factor", { body: { password } })).data,
    { onDone: onSecret },
  );
  return (
    <div className={styles.narrow}>
      <Notice>{words.off}</Notice>
      <Form submit={words.begin} state={begin} onSubmit={(values) => begin.mutate(values["password"] ?? "")}>
        <PasswordProof problem={fieldProblems(begin.error)["password"]} />
      </Form>
    </div>
  );
}

function TwoFactorOn({
  left,
  onNewCodes,
}: {
  left: number;
  onNewCodes: (codes: string[] | undefined) => void;
}) {
  return (
    <>
      <Notice tone="good" title={words.on}>
        {words.left(left)}
      </Notice>
      <div className={styles.names}>
        <FormButton
          label={words.renew}
          title={words.renewTitle}
          lead={words.renewText}
          submit={words.renewSubmit}
          run={async ({ password = "" }) =>
            (await api.PUT("/user/two-factor/recovery-codes", { body: { password } })).data?.recovery_codes
          }
          onDone={onNewCodes}
        >
          {(problems) => <PasswordProof problem={problems["password"]} autoFocus />}
        </FormButton>
        <ConfirmButton
          label={words.turnOff}
          title={words.turnOffTitle}
          said={words.turnedOff}
          run={({ password = "" }) => api.DELETE("/user/two-factor", { body: { password } })}
        >
          <p>{words.turnOffText}</p>
          <PasswordProof autoFocus />
        </ConfirmButton>
      </div>
    </>
  );
}
