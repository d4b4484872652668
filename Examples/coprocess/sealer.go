// Seals pushes with a co-process: go run sealer.go sealpush seal --lines … <JOBS. See Documentation/Guides/CoProcess.md.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"sync"
)

// A Push is to be sent to APNs unless it has an error.
type Push struct {
	Device      string            `json:"device,omitempty"`
	DeviceToken string            `json:"device_token,omitempty"`
	Headers     map[string]string `json:"headers,omitempty"`
	Body        string            `json:"body,omitempty"`
	Error       string            `json:"error,omitempty"`
	Message     string            `json:"message,omitempty"`
}

// ErrEnded says that no line is answered any more.
var ErrEnded = errors.New("the co-process has ended")

// A Sealer may be used by many goroutines; each waits for its own answer.
type Sealer struct {
	process *exec.Cmd
	input   io.Writer
	output  *bufio.Reader
	mutex   sync.Mutex
	count   int
}

// NewSealer starts the tool.
func NewSealer(command ...string) (*Sealer, error) {
	process := exec.Command(command[0], append(command[1:], "--errors", "-")...)
	process.Stderr = os.Stderr
	input, _ := process.StdinPipe()
	output, _ := process.StdoutPipe()
	return &Sealer{process: process, input: input, output: bufio.NewReader(output)}, process.Start()
}

// Seal returns the pushes to an array of devices, to a person's or to one. With an error, there is nothing to send.
func (s *Sealer) Seal(to, payload any) ([]Push, error) {
	object, _ := to.(map[string]any)
	if _, isText := to.(string); isText || object != nil && object["person"] == nil {
		to = []any{to} // so that the answer has pushes
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.count++
	line, err := json.Marshal(map[string]any{"id": s.count, "to": to, "payload": payload})
	if err != nil {
		return nil, err
	}
	answer := struct {
		Push
		ID     *int
		Pushes []Push
	}{}
	_, writing := s.input.Write(append(line, '\n'))
	text, reading := s.output.ReadBytes('\n')
	parsing := json.Unmarshal(text, &answer)
	if writing != nil || reading != nil || parsing != nil || answer.ID != nil && *answer.ID != s.count {
		s.process.Process.Kill()
		return nil, ErrEnded
	}
	if answer.Error != "" {
		return nil, fmt.Errorf("%s: %s", answer.Error, answer.Message)
	}
	return answer.Pushes, nil
}

func main() {
	sealer, err := NewSealer(os.Args[1:]...)
	if err != nil {
		log.Fatal(err)
	}
	jobs, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for jobs.More() {
		var job struct{ To, Payload any }
		if err := jobs.Decode(&job); err != nil {
			log.Fatal(err)
		}
		pushes, err := sealer.Seal(job.To, job.Payload)
		if err == ErrEnded {
			log.Fatal(err)
		} else if err != nil {
			out.Encode(map[string]string{"refused": err.Error()})
		}
		for _, push := range pushes {
			out.Encode(push) // Without an error: POST its body with its headers to /3/device/<device_token>.
		}
	}
}
