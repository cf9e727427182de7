package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// During a rotation: both, with a space between.
var secrets = strings.Fields(os.Getenv("LADING_CALLBACK_SECRET"))

var (
	lock sync.Mutex
	seen = map[string]bool{} // In production, use a column with a unique index.
)

type callback struct {
	EventID    string `json:"event_id"`
	Event      string `json:"event"`
	DocumentNo string `json:"document_no"`
	Status     string `json:"status"`
}

func main() {
	if len(secrets) == 0 {
		panic("LADING_CALLBACK_SECRET is not set")
	}
	panic(http.ListenAndServe("127.0.0.1:9090", http.HandlerFunc(receive)))
}

func receive(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, 10_000_000))
	var received callback
	if err != nil || !isGenuine(request.Header, body) || json.Unmarshal(body, &received) != nil {
		fmt.Fprintln(os.Stderr, "rejected: not signed recently with LADING_CALLBACK_SECRET")
		response.WriteHeader(http.StatusBadRequest)
		return
	}
	lock.Lock()
	defer lock.Unlock()
	if !seen[received.EventID] {
		fmt.Println(received.Event, received.DocumentNo, received.Status) // Store it here.
		seen[received.EventID] = true
	}
}

func isGenuine(headers http.Header, body []byte) bool {
	id, timestamp := headers.Get("webhook-id"), headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	age := time.Now().Unix() - seconds
	if id == "" || err != nil || age > 300 || age < -300 {
		return false
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil {
			panic(err)
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
		for _, given := range strings.Split(headers.Get("webhook-signature"), " ") {
			if hmac.Equal([]byte(expected), []byte(given)) {
				return true
			}
		}
	}
	return false
}
