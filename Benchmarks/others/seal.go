// Seals as a backend in Go would that wants what SealedPush gives: an anonymous box of golang.org/x/crypto with the
// message's identity, time and lifetime, signed for its app and its recipient, padded to the same lengths.
//
// The first two lines of input are the notification and the payload up to the sealed text. The program opens a payload
// of its own and says which Go it has. Then each line of input is a number of seconds, and each line of output how many
// messages were sealed, in how many seconds by the clock, and in how many of the processors' time.
package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/crypto/nacl/box"
)

const (
	headSize = 1 + 16 + 8 + 4 + 8
	lifetime = 30 * 86400
	pace     = 50
	tail     = `"}`
)

var buckets = []int{256, 512, 1024, 2048}

type alert struct {
	Title    string `json:"title"`
	Subtitle string `json:"subtitle"`
	Body     string `json:"body"`
}

type aps struct {
	Alert    alert  `json:"alert"`
	Badge    int    `json:"badge"`
	Sound    string `json:"sound"`
	ThreadID string `json:"thread-id"`
	Category string `json:"category"`
}

type notification struct {
	APS      aps      `json:"aps"`
	Chat     int      `json:"chat"`
	Message  string   `json:"message"`
	Mentions []string `json:"mentions"`
	Muted    bool     `json:"muted"`
}

// A sealer knows one sender, one recipient and one placeholder.
type sealer struct {
	payloadHead string
	recipient   *[32]byte
	signingKey  ed25519.PrivateKey
	signerID    []byte
	context     []byte
}

func newSealer(payloadHead string, recipient *[32]byte, signingKey ed25519.PrivateKey) *sealer {
	return &sealer{
		payloadHead: payloadHead,
		recipient:   recipient,
		signingKey:  signingKey,
		signerID:    signingKey.Public().(ed25519.PublicKey)[:8],
		context:     append([]byte("push v1\x00com.example.app\x00"), recipient[:]...),
	}
}

// payload gives the final bytes.
func (s *sealer) payload(message *notification) ([]byte, error) {
	content, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	sealed, err := s.seal(content)
	if err != nil {
		return nil, err
	}
	size := base64.RawURLEncoding.EncodedLen(len(sealed))
	payload := make([]byte, len(s.payloadHead)+size+len(tail))
	copy(payload, s.payloadHead)
	base64.RawURLEncoding.Encode(payload[len(s.payloadHead):], sealed)
	copy(payload[len(s.payloadHead)+size:], tail)
	return payload, nil
}

func (s *sealer) seal(content []byte) ([]byte, error) {
	size, err := paddedSize(headSize + ed25519.SignatureSize + len(content) + 1)
	if err != nil {
		return nil, err
	}
	plaintext := make([]byte, 0, size)
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, err
	}
	plaintext = append(plaintext, 0x11)
	plaintext = append(plaintext, id[:]...)
	plaintext = binary.BigEndian.AppendUint64(plaintext, uint64(time.Now().Unix()))
	plaintext = binary.BigEndian.AppendUint32(plaintext, lifetime)
	plaintext = append(plaintext, s.signerID...)
	plaintext = append(plaintext, ed25519.Sign(s.signingKey, signed(s.context, plaintext, content))...)
	plaintext = append(plaintext, content...)
	plaintext = append(plaintext, 0x80)
	return box.SealAnonymous(nil, plaintext[:size], s.recipient, rand.Reader)
}

func signed(context, head, content []byte) []byte {
	message := make([]byte, 0, len(context)+len(head)+len(content))
	message = append(message, context...)
	message = append(message, head...)
	return append(message, content...)
}

func paddedSize(size int) (int, error) {
	for _, bucket := range buckets {
		if size <= bucket {
			return bucket, nil
		}
	}
	return 0, errors.New("the content is too long")
}

// open gives the content of a payload, if it is whole and its signature is right.
func (s *sealer) open(payload []byte, privateKey *[32]byte) ([]byte, error) {
	var members struct {
		Sealed string `json:"ENCRYPTED_DATA"`
	}
	if err := json.Unmarshal(payload, &members); err != nil {
		return nil, err
	}
	message, err := base64.RawURLEncoding.DecodeString(members.Sealed)
	if err != nil {
		return nil, err
	}
	plaintext, ok := box.OpenAnonymous(nil, message, s.recipient, privateKey)
	if !ok {
		return nil, errors.New("the box does not open")
	}
	if len(plaintext) != 512 {
		return nil, errors.New("the plaintext is not padded")
	}
	plaintext = bytes.TrimRight(plaintext, "\x00")
	head, rest := plaintext[:headSize], plaintext[headSize:]
	signature, content := rest[:ed25519.SignatureSize], rest[ed25519.SignatureSize:len(rest)-1]
	if !ed25519.Verify(s.signingKey.Public().(ed25519.PublicKey), signed(s.context, head, content), signature) {
		return nil, errors.New("the signature is wrong")
	}
	return content, nil
}

// check makes sure that what is timed is what is claimed.
func (s *sealer) check(message *notification, text string, privateKey *[32]byte) error {
	payload, err := s.payload(message)
	if err != nil {
		return err
	}
	content, err := s.open(payload, privateKey)
	if err != nil {
		return err
	}
	var found, expected map[string]any
	if err := json.Unmarshal(content, &found); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), &expected); err != nil {
		return err
	}
	if len(content) != len(text) || !reflect.DeepEqual(found, expected) {
		return errors.New("not what was sealed")
	}
	return nil
}

// round seals until the time is used up.
func (s *sealer) round(message *notification, seconds float64) (string, error) {
	start, processorStart := time.Now(), processorTime()
	count := 0
	for time.Since(start).Seconds() < seconds {
		for i := 0; i < pace; i++ {
			if _, err := s.payload(message); err != nil {
				return "", err
			}
		}
		count += pace
	}
	taken, processor := time.Since(start), processorTime()-processorStart
	return fmt.Sprint(count, taken.Seconds(), processor.Seconds()), nil
}

// processorTime is what all threads have had together, those of the garbage collector too.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func run() error {
	input := bufio.NewScanner(os.Stdin)
	input.Scan()
	text := input.Text()
	input.Scan()
	payloadHead := input.Text()
	var message notification
	if err := json.Unmarshal([]byte(text), &message); err != nil {
		return err
	}
	recipient, privateKey, err := box.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	_, signingKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	s := newSealer(payloadHead, recipient, signingKey)
	if err := s.check(&message, text, privateKey); err != nil {
		return err
	}
	fmt.Println("Go", strings.TrimPrefix(runtime.Version(), "go"))
	for input.Scan() {
		seconds, err := strconv.ParseFloat(input.Text(), 64)
		if err != nil {
			return err
		}
		answer, err := s.round(&message, seconds)
		if err != nil {
			return err
		}
		fmt.Println(answer)
	}
	return input.Err()
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "seal.go:", err)
		os.Exit(1)
	}
}
