// The health check of the image: succeeds if this node is ready for requests.
const url = `http://127.0.0.1:${process.env.PORT || 8080}/health/ready`;
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(5500) });
  if (!response.ok) console.log(await response.text());
  process.exitCode = response.ok ? 0 : 1;
} catch (error) {
  console.log(`${url}: ${error.cause?.code ?? error.message}`);
  process.exitCode = 1;
}
