# Seals pushes with a co-process: ruby sealer.rb sealpush seal --lines … <JOBS. See Documentation/Guides/CoProcess.md.
require "json"
require "open3"

class Sealer
  class Refused < StandardError; end

  def initialize(*command)
    @input, @output, @process = Open3.popen2(*command, "--errors", "-")
    @mutex, @count = Mutex.new, 0
  end

  # The pushes to an array of devices, to a person's or to one. If this raises, there is nothing to send.
  def seal(to, payload, **options)
    to = [to] if to.is_a?(String) || to.is_a?(Hash) && !(to["person"] || to[:person]) # so that the answer has pushes
    answer = @mutex.synchronize { ask(JSON.generate({ **options, id: @count += 1, to:, payload: })) }
    raise Refused, answer.values_at("error", "message").join(": ") if answer.key?("error")
    answer.fetch("pushes")
  end

  private

  def ask(line)
    @input.puts(line)
    @input.flush
    answer = JSON.parse(@output.gets || raise(EOFError))
    answer.fetch("id", @count) == @count ? answer : raise(IOError, "the answer is another line's")
  rescue SystemCallError, IOError, JSON::ParserError
    Process.kill("KILL", @process.pid) if @process.alive?
    raise IOError, "the co-process has ended"
  end
end

if __FILE__ == $PROGRAM_NAME
  sealer = Sealer.new(*ARGV)
  $stdin.each_line do |line|
    job = JSON.parse(line)
    # Without "error": POST its body with its headers to /3/device/<device_token>.
    sealer.seal(job["to"], job["payload"]).each { |push| puts JSON.generate(push) }
  rescue Sealer::Refused => error
    puts JSON.generate({ refused: error.message })
  end
end
