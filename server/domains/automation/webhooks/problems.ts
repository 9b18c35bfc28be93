/** Why a delivery was not accepted, as sentences for whoever runs the endpoint. */
const sentences: Record<string, string> = {
  address: "The address must be of the form https://HOST/PATH.",
  no_public_address: "The name of the host leads to no address, or to one that is not public.",
  untrusted_certificate: "The certificate of the endpoint is not trusted here.",
  client_certificate:
    "The endpoint refused the connection: it may want a certificate of its clients, which Forgeline does not have.",
  unreachable: "The endpoint could not be reached, or closed the connection.",
  timeout: "The endpoint did not respond within 10 seconds.",
  answer_too_large: "The headers of the response are too large.",
  internal: "Forgeline could not make the request. Please tell the administrator of the instance.",
};

/** null for an attempt that was accepted. */
export function problemSentence(error: string | null, status: number | null): string | null {
  if (error === null) return null;
  if (error === "status")
    return `The endpoint answered with status ${status ?? 0}; only 200 to 299 count as accepted.`;
  return sentences[error] ?? "The request failed.";
}
