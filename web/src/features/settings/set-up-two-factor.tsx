/** Hands the secret to an app, and takes the first code of it. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { twoFactor as words } from "../../text/settings.ts";
import { CopyField } from "../../ui/copy-field.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useChange } from "../../ui/use-change.ts";
import { QrCode } from "./qr-code.tsx";
import styles from "./settings.module.css";

export function SetUpTwoFactor(props: {
  secret: Schemas["TwoFactorSecret"];
  onDone: (recoveryCodes: string[] | undefined) => void;
  onCancel: () => void;
}) {
  const { secret, onDone, onCancel } = props;
  const confirm = useChange(
    async (otp: string) => (await api.PUT("/user/two-factor", { body: { otp } })).data?.recovery_codes,
    { onDone },
  );
  return (
    <div className={styles.narrow}>
      <h2>{words.scanTitle}</h2>
      <QrCode value={secret.uri} label={words.qr} />
      <p>{words.scan}</p>
      <CopyField label={words.secret} value={secret.secret} />
      <Form
        submit={words.confirm}
        state={confirm}
        onCancel={onCancel}
        onSubmit={(values) => confirm.mutate((values["otp"] ?? "").trim())}
      >
        <TextField
          name="otp"
          label={words.otp}
          problem={fieldProblems(confirm.error)["otp"]}
          autoComplete="one-time-code"
          inputMode="numeric"
          required
          autoFocus
        />
      </Form>
    </div>
  );
}
