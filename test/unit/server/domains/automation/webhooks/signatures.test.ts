/** Signatures, against the specification's own example and by hand. */
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { makeSecret, signatureHeaders } from "@forgeline/server/domains/automation/webhooks/signatures.ts";

const now = () => Math.floor(Date.now() / 1000);

test("the example of the Standard Webhooks specification", () => {
  const headers = signatureHeaders(["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"], {
    deliveryId: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  });
  expect(headers["webhook-signature"]).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});

test.each(["a secret of mine, ".padEnd(40, "x").replaceAll(" ", "_"), makeSecret()])(
  "the specification's library accepts what %s signs",
  (secret) => {
    const body = JSON.stringify({ event: "push", text: "Grüße" });
    const headers = signatureHeaders([secret], { deliveryId: "dlv_1", timestamp: now(), body });
    const standard = secret.startsWith("whsec_") ? secret : `whsec_${Buffer.from(secret).toString("base64")}`;
    expect(new Webhook(standard).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook(standard).verify(`${body} `, headers)).toThrow("No matching signature found");
    const hex = createHmac("sha256", secret).update(body).digest("hex");
    expect(headers["x-svc-signature-256"]).toBe(`sha256=${hex}`);
  },
);

test("two secrets give two signatures, of which each is accepted", () => {
  const [first, second] = [makeSecret(), makeSecret()];
  const headers = signatureHeaders([first, second], { deliveryId: "dlv_1", timestamp: now(), body: "{}" });
  for (const secret of [first, second]) expect(new Webhook(secret).verify("{}", headers)).toEqual({});
  expect(headers["x-svc-signature-256"]?.split(",")).toHaveLength(2);
});
