using System;
using System.Collections.Generic;
using System.Collections.Specialized;
using System.IO;
using System.Linq;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

public static class Receiver
{
    // During a rotation: both, with a space between.
    static readonly string[] Secrets =
        (Environment.GetEnvironmentVariable("LADING_CALLBACK_SECRET")
            ?? throw new Exception("LADING_CALLBACK_SECRET is not set")).Split(' ');
    static readonly HashSet<string> Seen = new HashSet<string>(); // In production, use a column with a unique index.

    public static void Main()
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        var listener = new HttpListener();
        listener.Prefixes.Add("http://127.0.0.1:9090/");
        listener.Start();
        while (true)
        {
            var context = listener.GetContext();
            var body = new MemoryStream();
            context.Request.InputStream.CopyTo(body);
            var genuine = IsGenuine(context.Request.Headers, body.ToArray());
            // The header is the event_id, and it is signed. Read the body with the JSON library of your project.
            var id = context.Request.Headers["webhook-id"];
            if (genuine && !Seen.Contains(id))
            {
                Console.WriteLine(id + " " + Encoding.UTF8.GetString(body.ToArray())); // Store it here.
                Seen.Add(id);
            }
            if (!genuine) Console.Error.WriteLine("rejected: not signed recently with LADING_CALLBACK_SECRET");
            context.Response.StatusCode = genuine ? 200 : 400;
            context.Response.Close();
        }
    }

    static bool IsGenuine(NameValueCollection headers, byte[] body)
    {
        var id = headers["webhook-id"];
        var timestamp = headers["webhook-timestamp"] ?? "";
        var signatures = headers["webhook-signature"] ?? "";
        if (string.IsNullOrEmpty(id) || !Regex.IsMatch(timestamp, "^[0-9]{1,12}\\z")) return false;
        if (Math.Abs(DateTimeOffset.UtcNow.ToUnixTimeSeconds() - long.Parse(timestamp)) > 300) return false;
        var message = Encoding.UTF8.GetBytes(id + "." + timestamp + ".").Concat(body).ToArray();
        foreach (var secret in Secrets)
        {
            var key = Convert.FromBase64String(Regex.Replace(secret, "^whsec_", ""));
            var expected = "v1," + Convert.ToBase64String(new HMACSHA256(key).ComputeHash(message));
            foreach (var given in signatures.Split(' '))
                if (CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(expected), Encoding.UTF8.GetBytes(given)))
                    return true;
        }
        return false;
    }
}
