import type { CodeSample, CredentialReference } from '../reference.ts';
import { jsonIn, quotableUrl } from '../sample-quoting.ts';

export const credentials: Record<string, CredentialReference> = {
  accountNo: {
    header: 'account-no',
    description:
      'Your account number from the operator. The header name has a hyphen; `account_no` is not accepted, neither as a header nor in the body.',
  },
  timestamp: {
    header: 'timestamp',
    description: 'Unix time in seconds (10 digits). It may differ from the server time by at most 300 seconds.',
  },
  sign: {
    header: 'sign',
    description:
      'HMAC-SHA256 as 64 lowercase hex digits. The message is the exact bytes of the body as sent, directly followed by the value of the ' +
      'timestamp header, with nothing between them; the key is the shared secret from the operator.',
  },
};

/**
 * A complete program in each language that sends a signed request without installing any packages. Account and secret
 * come from the environment, so that the program runs unchanged and no secret is written into source code.
 */
export function signedCallSamples(url: string, body: unknown): CodeSample[] {
  const call = { url: quotableUrl(url), json: JSON.stringify(body, null, 2) };
  return [
    { language: 'Shell', label: 'curl', source: shellSample(call) },
    { language: 'TypeScript', label: 'TypeScript', source: typeScriptSample(call) },
    { language: 'Python', label: 'Python', source: pythonSample(call) },
    { language: 'PHP', label: 'PHP', source: phpSample(call) },
    { language: 'Java', label: 'Java', source: javaSample(call) },
    { language: 'C#', label: 'C#', source: csharpSample(call) },
    { language: 'Go', label: 'Go', source: goSample(call) },
  ];
}

interface SampleCall {
  url: string;
  json: string;
}

const shellSample = ({ url, json }: SampleCall) => `body='${jsonIn.shell(json)}'
timestamp=$(date +%s)
sign=$(printf '%s%s' "$body" "$timestamp" | openssl dgst -sha256 -hmac "$LADING_SECRET" | sed 's/.* //')

curl '${url}' -sS -w '\\n%{http_code}\\n' \\
  -H 'content-type: application/json' \\
  -H "account-no: $LADING_ACCOUNT_NO" -H "timestamp: $timestamp" -H "sign: $sign" \\
  --data-binary "$body"`;

const typeScriptSample = ({ url, json }: SampleCall) => `import { createHmac } from 'node:crypto';
import { env } from 'node:process';

const { LADING_ACCOUNT_NO: accountNo = '', LADING_SECRET: secret = '' } = env;
const body = JSON.stringify(${json});
const timestamp = String(Math.floor(Date.now() / 1000));
const sign = createHmac('sha256', secret).update(body).update(timestamp).digest('hex');

const answer = await fetch('${url}', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'account-no': accountNo, timestamp, sign },
  body,
});
console.log(answer.status, await answer.text());`;

const pythonSample = ({ url, json }: SampleCall) => `import hashlib, hmac, os, time, urllib.error, urllib.request

secret = os.environ["LADING_SECRET"].encode()
body = r'''${jsonIn.python(json)}'''.encode()
timestamp = str(int(time.time()))
sign = hmac.new(secret, body + timestamp.encode(), hashlib.sha256).hexdigest()

request = urllib.request.Request("${url}", data=body, method="POST", headers={
    "content-type": "application/json",
    "account-no": os.environ["LADING_ACCOUNT_NO"],
    "timestamp": timestamp,
    "sign": sign,
})
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as refused:
    answer = refused
print(answer.status, answer.read().decode())`;

const phpSample = ({ url, json }: SampleCall) => `<?php
$body = <<<'JSON'
${json}
JSON;
$timestamp = (string) time();
$sign = hash_hmac('sha256', $body . $timestamp, getenv('LADING_SECRET'));

$context = stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'content-type: application/json',
        'account-no: ' . getenv('LADING_ACCOUNT_NO'),
        'timestamp: ' . $timestamp,
        'sign: ' . $sign,
    ],
    'content' => $body,
    'ignore_errors' => true, // Read error responses like any other response.
]]);
$answer = fopen('${url}', 'r', false, $context);
echo stream_get_meta_data($answer)['wrapper_data'][0], "\\n", stream_get_contents($answer), "\\n";`;

const javaSample = ({ url, json }: SampleCall) => `import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class SignedCall {
    public static void main(String[] arguments) throws Exception {
        String body = """
${indented(jsonIn.java(json), 12)}""";
        String timestamp = String.valueOf(Instant.now().getEpochSecond());
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(System.getenv("LADING_SECRET").getBytes(UTF_8), "HmacSHA256"));
        String sign = HexFormat.of().formatHex(mac.doFinal((body + timestamp).getBytes(UTF_8)));

        HttpRequest request = HttpRequest.newBuilder(URI.create("${url}"))
            .header("content-type", "application/json")
            .header("account-no", System.getenv("LADING_ACCOUNT_NO"))
            .header("timestamp", timestamp)
            .header("sign", sign)
            .POST(HttpRequest.BodyPublishers.ofString(body, UTF_8))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.statusCode() + " " + answer.body());
    }
}`;

const csharpSample = ({ url, json }: SampleCall) => `using System;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;

public static class SignedCall
{
    public static void Main()
    {
        var body = @"${jsonIn.csharp(json)}";
        var timestamp = DateTimeOffset.UtcNow.ToUnixTimeSeconds().ToString();
        var secret = Encoding.UTF8.GetBytes(Environment.GetEnvironmentVariable("LADING_SECRET") ?? "");
        var mac = new HMACSHA256(secret).ComputeHash(Encoding.UTF8.GetBytes(body + timestamp));
        var sign = BitConverter.ToString(mac).Replace("-", "").ToLowerInvariant();

        var request = new HttpRequestMessage(HttpMethod.Post, "${url}");
        request.Headers.Add("account-no", Environment.GetEnvironmentVariable("LADING_ACCOUNT_NO"));
        request.Headers.Add("timestamp", timestamp);
        request.Headers.Add("sign", sign);
        request.Content = new StringContent(body, Encoding.UTF8, "application/json");
        var answer = new HttpClient().SendAsync(request).Result;
        Console.WriteLine((int)answer.StatusCode + " " + answer.Content.ReadAsStringAsync().Result);
    }
}`;

const goSample = ({ url, json }: SampleCall) => `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	body := \`${jsonIn.go(json)}\`
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(os.Getenv("LADING_SECRET")))
	mac.Write([]byte(body + timestamp))

	request, err := http.NewRequest("POST", "${url}", strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	request.Header.Set("content-type", "application/json")
	request.Header.Set("account-no", os.Getenv("LADING_ACCOUNT_NO"))
	request.Header.Set("timestamp", timestamp)
	request.Header.Set("sign", hex.EncodeToString(mac.Sum(nil)))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	fmt.Println(answer.StatusCode, string(text))
}`;

function indented(text: string, columns: number): string {
  return text.replace(/^/gm, ' '.repeat(columns));
}
